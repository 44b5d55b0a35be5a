package bindings

import "context"

// FileAccess says which files functions may read and write. Its errors name the
// file and what is allowed.
type FileAccess interface {
	CheckRead(path string) error
	CheckWrite(path string) error
}

type fileAccessKey struct{}

// WithFileAccess returns a context whose calls ask access before they open a file.
// Without one they may open any.
func WithFileAccess(ctx context.Context, access FileAccess) context.Context {
	return context.WithValue(ctx, fileAccessKey{}, access)
}

// mayRead must be asked by every function that reads a file.
func mayRead(ctx context.Context, path string) error {
	if access, ok := ctx.Value(fileAccessKey{}).(FileAccess); ok {
		return access.CheckRead(path)
	}
	return nil
}

// mayWrite must be asked by every function that writes a file.
func mayWrite(ctx context.Context, path string) error {
	if access, ok := ctx.Value(fileAccessKey{}).(FileAccess); ok {
		return access.CheckWrite(path)
	}
	return nil
}

// isSafe tells calls whose files are restricted: they start no programs either.
func isSafe(ctx context.Context) bool {
	_, restricted := ctx.Value(fileAccessKey{}).(FileAccess)
	return restricted
}
