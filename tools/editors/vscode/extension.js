// The workbench in VS Code: a prompt in a terminal, tasks for the file that is edited, and the
// definitions that lua-language-server reads.
"use strict";
const vscode = require("vscode");

const program = () => vscode.workspace.getConfiguration("workbench").get("path") || "workbench";

// prompt is the terminal of the prompt, opened with a script or none.
let prompt;
function open(file) {
	const editor = vscode.window.activeTextEditor;
	const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
	prompt?.dispose();
	prompt = vscode.window.createTerminal({
		name: "workbench", shellPath: program(), shellArgs: file ? ["-i", file] : [], cwd: folder?.uri,
	});
	prompt.show(true);
}

// run saves the file, runs it, and leaves the prompt with its variables.
async function run() {
	const editor = vscode.window.activeTextEditor;
	if (!editor || !(await editor.document.save())) return;
	open(editor.document.uri.fsPath);
}

// send gives the selection, or the line of the cursor, to the prompt as one paste.
function send() {
	const editor = vscode.window.activeTextEditor;
	if (!editor) return;
	const {selection, document} = editor;
	const line = document.lineAt(selection.active.line);
	const text = selection.isEmpty ? line.text : document.getText(selection);
	if (selection.isEmpty && line.lineNumber + 1 < document.lineCount) {
		const next = new vscode.Position(line.lineNumber + 1, 0);
		editor.selection = new vscode.Selection(next, next);
	}
	if (!prompt) open();
	prompt.show(true);
	prompt.sendText(`\x1b[200~${text.replace(/\x1b/g, "")}\x1b[201~`, true);
}

// task is what is done with a file.
function task(definition, folder) {
	const args = {run: [], lint: ["lint"], test: ["test"]}[definition.action];
	const file = definition.file || "${file}";
	return new vscode.Task(definition, folder || vscode.TaskScope.Workspace, `${definition.action} ${definition.file || "this file"}`,
		"workbench", new vscode.ProcessExecution(program(), [...args, file]), "$workbench");
}

function activate(context) {
	const on = (name, f) => context.subscriptions.push(vscode.commands.registerCommand(`workbench.${name}`, f));
	on("run", run);
	on("send", send);
	on("define", () => vscode.tasks.executeTask(new vscode.Task({type: "process"}, vscode.TaskScope.Workspace, "write definitions",
		"workbench", new vscode.ProcessExecution(program(), ["doc", "--luals", "."]))));
	context.subscriptions.push(
		vscode.window.onDidCloseTerminal((t) => { if (t === prompt) prompt = undefined; }),
		vscode.tasks.registerTaskProvider("workbench", {
			provideTasks: () => ["run", "lint", "test"].map((action) => task({type: "workbench", action})),
			resolveTask: (t) => task(t.definition, t.scope),
		}));
}

module.exports = {activate};
