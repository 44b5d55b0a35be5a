package usage

import (
	"fmt"
	"strings"
)

// Shells are those that Completion knows.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Completion is a script for a shell that completes commands, options and their values.
func (p Program) Completion(shell string) (script string, ok bool) {
	switch shell {
	case "bash":
		return p.bash(), true
	case "zsh":
		return p.zsh(), true
	case "fish":
		return p.fish(), true
	}
	return "", false
}

// bash finds the command before the cursor, then the option that a value belongs to.
func (p Program) bash() string {
	var takes, commands, values, words []string
	add := func(command string, options []Option) {
		for _, o := range options {
			if o.Value == "" {
				continue
			}
			var patterns []string
			for _, name := range o.Names {
				patterns = append(patterns, command+":"+name)
			}
			values = append(values, fmt.Sprintf("\t%s) %s return ;;\n", strings.Join(patterns, "|"), bashValue(o)))
		}
	}
	add("", p.Options)
	for _, o := range p.Options {
		if o.Value != "" {
			takes = append(takes, o.Names...)
		}
	}
	for _, f := range p.Commands() {
		commands = append(commands, f.Word)
		add(f.Word, f.Options)
		words = append(words, fmt.Sprintf("\t%s) options=%s words=%s files=%s ;;\n", f.Word, bashList(names(f.Options)), bashList(f.Words), yes(f.Words == nil)))
	}
	return strings.NewReplacer("@program@", p.Name, "@takes@", strings.Join(takes, "|"), "@commands@", strings.Join(commands, "|"), "@options@", bashList(names(p.Options)),
		"@words@", bashList(commands), "\t@values@\n", strings.Join(values, ""), "\t@forms@\n", strings.Join(words, "")).Replace(bashScript)
}

const bashScript = `# Completion of @program@ for bash: source it, or put it into bash-completion's folder.
_@program@() {
	local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
	local command= options= words= files=yes i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		@takes@) ((i++)) ;;
		@commands@) command=${COMP_WORDS[i]}; break ;;
		-?*) ;;
		*) command=FILE; break ;;
		esac
	done
	case $command:$before in
	@values@
	esac
	case $command in
	'') options=@options@ words=@words@ ;;
	@forms@
	esac
	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$options" -- "$word"))
		return
	fi
	COMPREPLY=($(compgen -W "$words" -- "$word"))
	if [[ $files ]]; then
		COMPREPLY+=($(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _@program@ @program@
`

// bashValue completes the value of an option.
func bashValue(o Option) string {
	switch {
	case o.Values != nil:
		return "COMPREPLY=($(compgen -W " + bashList(o.Values) + ` -- "$word"));`
	case o.Value == "FILE":
		return `COMPREPLY=($(compgen -f -- "$word"));`
	case o.Value == "DIR":
		return `COMPREPLY=($(compgen -d -- "$word"));`
	}
	return ""
}

func bashList(words []string) string { return "$'" + strings.Join(words, `\n`) + "'" }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func names(options []Option) (all []string) {
	for _, o := range options {
		all = append(all, o.Names...)
	}
	return all
}

func (p Program) zsh() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %s\n# Completion of %[1]s for zsh: source it, or put it into a folder of fpath as _%[1]s.\n", p.Name)
	fmt.Fprintf(&b, "_%s() {\n\tlocal curcontext=\"$curcontext\" state line\n\tlocal -a commands\n\tcommands=(\n", p.Name)
	for _, f := range p.Commands() {
		fmt.Fprintf(&b, "\t\t%s\n", quoted(f.Word+":"+f.Doc))
	}
	b.WriteString("\t)\n\t_arguments -C -S " + zshOptions(p.Options, "\t\t") + " \\\n\t\t'1: :->first' '*:: :->rest'\n")
	b.WriteString("\tcase $state in\n\tfirst) _describe command commands; _files ;;\n\trest)\n\t\tcase $words[1] in\n")
	for _, f := range p.Commands() {
		rest := "'*:file:_files'"
		if f.Words != nil {
			rest = quoted("*: :(" + strings.Join(f.Words, " ") + ")")
		}
		fmt.Fprintf(&b, "\t\t%s) _arguments %s \\\n\t\t\t%s ;;\n", f.Word, zshOptions(f.Options, "\t\t\t"), rest)
	}
	fmt.Fprintf(&b, "\t\t*) _files ;;\n\t\tesac ;;\n\tesac\n}\nif [ \"$funcstack[1]\" = _%s ]; then _%[1]s \"$@\"; else compdef _%[1]s %[1]s; fi\n", p.Name)
	return b.String()
}

// zshOptions are the options as _arguments takes them, one a line.
func zshOptions(options []Option, indent string) string {
	var b strings.Builder
	for _, o := range options {
		doc := strings.NewReplacer("[", "(", "]", ")").Replace(o.Doc)
		for _, name := range o.Names {
			spec := fmt.Sprintf("(%s)%s[%s]", strings.Join(o.Names, " "), name, doc)
			switch {
			case o.Values != nil:
				spec += ":" + o.Value + ":(" + strings.Join(o.Values, " ") + ")"
			case o.Value == "FILE":
				spec += ":file:_files"
			case o.Value == "DIR":
				spec += ":folder:_files -/"
			case o.Value != "":
				spec += ":" + o.Value + ": "
			}
			fmt.Fprintf(&b, "\\\n%s%s ", indent, quoted(spec))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

func (p Program) fish() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Completion of %s for fish: put it into ~/.config/fish/completions/%[1]s.fish\n", p.Name)
	p.fishOptions(&b, "__fish_use_subcommand", p.Options)
	for _, f := range p.Commands() {
		fmt.Fprintf(&b, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", p.Name, f.Word, quoted(f.Doc))
	}
	for _, f := range p.Commands() {
		seen := quoted("__fish_seen_subcommand_from " + f.Word)
		p.fishOptions(&b, seen, f.Options)
		if f.Words != nil {
			fmt.Fprintf(&b, "complete -c %s -n %s -f -a %s\n", p.Name, seen, quoted(strings.Join(f.Words, " ")))
		}
	}
	return b.String()
}

func (p Program) fishOptions(b *strings.Builder, when string, options []Option) {
	for _, o := range options {
		fmt.Fprintf(b, "complete -c %s -n %s", p.Name, when)
		for _, name := range o.Names {
			if long, ok := strings.CutPrefix(name, "--"); ok {
				fmt.Fprintf(b, " -l %s", long)
			} else {
				fmt.Fprintf(b, " -s %s", name[1:])
			}
		}
		switch {
		case o.Values != nil:
			fmt.Fprintf(b, " -x -a %s", quoted(strings.Join(o.Values, " ")))
		case o.Value == "FILE":
			b.WriteString(" -r -F")
		case o.Value == "DIR":
			b.WriteString(" -x -a '(__fish_complete_directories)'")
		case o.Value != "":
			b.WriteString(" -x")
		}
		fmt.Fprintf(b, " -d %s\n", quoted(o.Doc))
	}
}

// quoted is text between the quotes of all three shells.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "’") + "'" }
