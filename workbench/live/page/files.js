// The files of a session: a folder in the memory of the tab. What Go's os package calls are the
// functions of Node's fs with callbacks; here each answers at once.
"use strict";

globalThis.makeFiles = function (standardError) {
  const folder = "/work"; // where relative names begin
  const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  const decoder = new TextDecoder();
  let nodes = 0;
  const stamp = (node) => { node.changed = Date.now(); return node; };
  const newFolder = () => stamp({ id: ++nodes, entries: new Map() });
  const newFile = () => stamp({ id: ++nodes, bytes: new Uint8Array(0), size: 0 });
  const root = newFolder();
  root.entries.set("tmp", newFolder());
  root.entries.set("work", newFolder());
  const open = new Map(); // what is open, by number
  let next = 3;

  const failure = (code) => Object.assign(new Error(code), { code });

  function resolve(...parts) {
    const names = [];
    for (const name of [folder, ...parts].reduce((path, p) => (p.startsWith("/") ? p : path + "/" + p)).split("/")) {
      if (name === "..") names.pop();
      else if (name !== "" && name !== ".") names.push(name);
    }
    return "/" + names.join("/");
  }

  // find is the node of a path, undefined if there is none.
  function find(path) {
    let node = root;
    for (const name of resolve(path).split("/").filter(Boolean)) {
      if (!node.entries) throw failure("ENOTDIR");
      node = node.entries.get(name);
      if (!node) return undefined;
    }
    return node;
  }

  function need(path) {
    const node = find(path);
    if (!node) throw failure("ENOENT");
    return node;
  }

  // place is the folder that a path is in, and its name there.
  function place(path) {
    const full = resolve(path);
    const cut = full.lastIndexOf("/");
    const parent = need(full.slice(0, cut) || "/");
    if (!parent.entries) throw failure("ENOTDIR");
    return [parent, full.slice(cut + 1)];
  }

  function opened(fd) {
    const file = open.get(fd);
    if (!file) throw failure("EBADF");
    return file;
  }

  function resize(node, size) {
    if (size > node.bytes.length) {
      const bytes = new Uint8Array(Math.max(size, 2 * node.bytes.length, 256));
      bytes.set(node.bytes.subarray(0, node.size));
      node.bytes = bytes;
    }
    if (size < node.size) node.bytes.fill(0, size, node.size);
    node.size = size;
    stamp(node);
  }

  function stat(node) {
    const time = node.changed;
    return {
      dev: 1, ino: node.id, mode: node.entries ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0,
      size: node.entries ? 0 : node.size, blksize: 4096, blocks: 0, atimeMs: time, mtimeMs: time, ctimeMs: time,
      isDirectory: () => Boolean(node.entries),
    };
  }

  function remove(path, wantFolder) {
    const [parent, name] = place(path);
    const node = need(path);
    if (Boolean(node.entries) !== wantFolder) throw failure(wantFolder ? "ENOTDIR" : "EISDIR");
    if (wantFolder && node.entries.size > 0) throw failure("ENOTEMPTY");
    parent.entries.delete(name);
    stamp(parent);
  }

  const calls = {
    open(path, flags) {
      let node = find(path);
      if (node && flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure("EEXIST");
      if (!node) {
        if (!(flags & constants.O_CREAT)) throw failure("ENOENT");
        const [parent, name] = place(path);
        parent.entries.set(name, (node = newFile()));
        stamp(parent);
      }
      if (flags & constants.O_DIRECTORY && !node.entries) throw failure("ENOTDIR");
      const writes = flags & (constants.O_WRONLY | constants.O_RDWR);
      if (writes && node.entries) throw failure("EISDIR");
      if (flags & constants.O_TRUNC && writes) resize(node, 0);
      open.set(next, { node, at: 0, path: resolve(path), appends: Boolean(flags & constants.O_APPEND) });
      return next++;
    },
    close(fd) { opened(fd); open.delete(fd); },
    read(fd, buffer, offset, length, position) {
      if (fd === 0) return 0; // nobody types
      const file = opened(fd);
      if (file.node.entries) throw failure("EISDIR");
      const from = position ?? file.at;
      const n = Math.max(0, Math.min(length, file.node.size - from));
      buffer.set(file.node.bytes.subarray(from, from + n), offset);
      if (position === null || position === undefined) file.at += n;
      return n;
    },
    write(fd, buffer, offset, length, position) {
      if (fd === 1 || fd === 2) return files.writeSync(fd, buffer.subarray(offset, offset + length));
      const file = opened(fd);
      const from = file.appends ? file.node.size : position ?? file.at;
      if (from + length > file.node.size) resize(file.node, from + length);
      file.node.bytes.set(buffer.subarray(offset, offset + length), from);
      stamp(file.node);
      if (position === null || position === undefined) file.at = from + length;
      return length;
    },
    stat: (path) => stat(need(path)),
    lstat: (path) => stat(need(path)),
    fstat: (fd) => stat(opened(fd).node),
    mkdir(path) {
      if (find(path)) throw failure("EEXIST");
      const [parent, name] = place(path);
      parent.entries.set(name, newFolder());
      stamp(parent);
    },
    readdir(path) {
      const node = need(path);
      if (!node.entries) throw failure("ENOTDIR");
      return [...node.entries.keys()];
    },
    unlink: (path) => remove(path, false),
    rmdir: (path) => remove(path, true),
    rename(from, to) {
      const node = need(from);
      const [oldParent, oldName] = place(from);
      const [newParent, newName] = place(to);
      if (find(to)?.entries && !node.entries) throw failure("EISDIR");
      oldParent.entries.delete(oldName);
      newParent.entries.set(newName, node);
      stamp(oldParent);
      stamp(newParent);
    },
    truncate: (path, size) => resize(need(path), size),
    ftruncate: (fd, size) => resize(opened(fd).node, size),
    utimes(path, accessed, modified) { need(path).changed = modified * 1000; },
    fsync() {}, chmod() {}, fchmod() {}, chown() {}, fchown() {}, lchown() {},
    link() { throw failure("ENOSYS"); },
    symlink() { throw failure("ENOSYS"); },
    readlink() { throw failure("EINVAL"); },
  };

  const files = {
    constants,
    writeSync(fd, bytes) {
      standardError(decoder.decode(bytes, { stream: true }));
      return bytes.length;
    },
    resolve,
    folder,
    // put makes a file from bytes; get is a copy of its bytes.
    put(name, bytes) {
      const [parent, last] = place(name);
      const node = newFile();
      node.bytes = bytes;
      node.size = bytes.length;
      parent.entries.set(last, node);
    },
    get(name) {
      const node = need(name);
      return node.bytes.slice(0, node.size);
    },
    // list is the files below the folder: their sizes and when they changed, by name.
    list() {
      const found = new Map();
      const walk = (node, path) => {
        for (const [name, inner] of node.entries) {
          if (inner.entries) walk(inner, path + name + "/");
          else found.set(path + name, { size: inner.size, id: inner.id, changed: inner.changed });
        }
      };
      walk(find(folder), "");
      return found;
    },
  };
  for (const [name, call] of Object.entries(calls)) {
    files[name] = (...given) => {
      const callback = given.pop();
      let result;
      try {
        result = call(...given);
      } catch (error) {
        if (!error.code) throw error;
        callback(error);
        return;
      }
      callback(null, result);
    };
  }
  return files;
};
