package manual

import "github.com/greenbench/workbench/workbench/hypertext"

// The parts of which pages are made.

// listed is an entry of the lists on the front page.
type listed struct {
	pageLink
	Summary string
	Names   []pageLink
}

func (r listed) html() hypertext.HTML {
	names := hypertext.If(len(r.Names) > 0, "\n<span class=\"names\">"+joined(r.Names, ` <span class="dot">·</span> `)+"</span>")
	return hypertext.Format("\n<dt>%s</dt>\n<dd>%s%s</dd>", r.pageLink.html(), r.Summary, names)
}

// joined are links with something between them.
func joined(links []pageLink, between hypertext.HTML) (out hypertext.HTML) {
	for i, l := range links {
		out += hypertext.If(i > 0, between) + l.html()
	}
	return out
}

func frontHTML(title string, text hypertext.HTML, guides, modules []listed) hypertext.HTML {
	return hypertext.Format(`<h1>%s</h1>
%s
<h2 id="guides">Guides</h2>
<dl class="list">%s
</dl>
<h2 id="modules">Modules</h2>
<dl class="list">%s
</dl>
`, title, text, hypertext.Each(guides, listed.html), hypertext.Each(modules, listed.html))
}

func (v moduleView) html() hypertext.HTML {
	return hypertext.Format("<h1>%s</h1>\n%s", v.Name, v.Doc) + overview(v.Functions) + values(v.Values) +
		hypertext.Each(v.Functions, functionView.html) + hypertext.Each(v.Types, typeView.html)
}

func (t typeView) html() hypertext.HTML {
	return hypertext.Format(`
<section class="members" id="%s">
<h2><a class="self" href="#%s">type %s</a></h2>
%s%s`, t.Anchor, t.Anchor, t.Name, t.Doc, hypertext.If(t.Accepts != "", "<p>"+t.Accepts+"</p>")) +
		values(t.Properties) + overview(t.Methods) + operators(t.Operators) +
		hypertext.Each(t.Methods, functionView.html) + hypertext.Each(t.Calls, functionView.html) + "\n</section>"
}

// list is a list of descriptions, nothing if it is empty.
func list[T any](class string, items []T, entry func(T) hypertext.HTML) hypertext.HTML {
	if len(items) == 0 {
		return ""
	}
	return hypertext.Format("\n<dl class=\"%s\">%s\n</dl>\n", class, hypertext.Each(items, entry))
}

func overview(fs []functionView) hypertext.HTML {
	return list("overview", fs, func(f functionView) hypertext.HTML {
		return hypertext.Format("\n<dt><a href=\"#%s\">%s</a></dt>\n<dd>%s</dd>", f.Anchor, f.Short, f.Summary)
	})
}

func values(vs []valueView) hypertext.HTML {
	return list("overview values", vs, func(v valueView) hypertext.HTML {
		return hypertext.Format("\n<dt id=\"%s\">%s</dt>\n<dd><span class=\"type\">%s</span> %s</dd>", v.Anchor, v.Name, v.Type, v.Doc)
	})
}

func operators(fs []functionView) hypertext.HTML {
	return list("overview operators", fs, func(f functionView) hypertext.HTML {
		return hypertext.Format("\n<dt id=\"%s\">%s</dt>\n<dd>%s%s</dd>", f.Anchor, f.Signature, f.Text, hypertext.Each(f.Examples, exampleView.html))
	})
}

func (f functionView) html() hypertext.HTML {
	out := hypertext.Format(`
<section class="function" id="%s">
<h3><a class="self" href="#%s">%s</a></h3>
<pre class="signature"><code>%s</code></pre>
%s`, f.Anchor, f.Anchor, f.Name, f.Signature, f.Text)
	if len(f.Params) > 0 {
		out += "\n<table class=\"params\">\n" +
			`<thead><tr><th scope="col">Argument</th><th scope="col">Type</th><th scope="col">Default</th><th scope="col">Meaning</th></tr></thead>` +
			"\n<tbody>" + hypertext.Each(f.Params, paramView.html) + "\n</tbody>\n</table>"
	}
	if len(f.Returns) > 0 {
		out += "\n<h4>Returns</h4>\n<dl class=\"facts\">" + hypertext.Each(f.Returns, returnView.html) + "\n</dl>"
	}
	if len(f.Errors) > 0 {
		out += "\n<h4>Errors</h4>\n<ul class=\"errors\">" +
			hypertext.Each(f.Errors, func(e hypertext.HTML) hypertext.HTML { return "\n<li>" + e + "</li>" }) + "\n</ul>"
	}
	if len(f.Examples) > 0 {
		out += "\n<h4>Example</h4>" + hypertext.Each(f.Examples, exampleView.html)
	}
	if len(f.See) > 0 {
		out += "\n<p class=\"see\">See also " + joined(f.See, ", ") + "</p>"
	}
	return out + "\n</section>\n"
}

func (p paramView) html() hypertext.HTML {
	value := hypertext.Format(`<span class="state">%s</span>`, p.State)
	if p.Default != "" {
		value = hypertext.Format("<code>%s</code>", p.Default)
	}
	return hypertext.Format("\n<tr%s><th scope=\"row\">%s</th><td class=\"type\">%s%s</td><td class=\"default\">%s</td><td>%s</td></tr>",
		hypertext.If(p.Depth > 0, ` class="inner"`), p.Name, p.Type,
		hypertext.If(p.Allowed != "", hypertext.Format(` <span class="allowed">%s</span>`, p.Allowed)), value, p.Doc)
}

func (r returnView) html() hypertext.HTML {
	return hypertext.Format("\n<dt class=\"type\">%s</dt>\n<dd>%s</dd>", r.Type, r.Doc) + hypertext.Each(r.Fields, func(v valueView) hypertext.HTML {
		return hypertext.Format("\n<dt class=\"field\">.%s <span class=\"type\">%s</span></dt>\n<dd>%s</dd>", v.Name, v.Type, v.Doc)
	})
}

func (e exampleView) html() hypertext.HTML {
	return hypertext.Format("\n<pre class=\"code\" data-lua=\"example\"><code>%s</code></pre>", e.Code) + hypertext.Each(e.Pictures, func(i image) hypertext.HTML {
		return hypertext.Format("\n<figure><img src=\"%s\" width=\"%d\" height=\"%d\" alt=\"%s\"/></figure>", i.URL, i.Width, i.Height, i.Caption)
	})
}
