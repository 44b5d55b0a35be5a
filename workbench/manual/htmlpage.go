package manual

import "github.com/greenbench/workbench/workbench/hypertext"

// A page is what stands around the body: every page has the search, the contents, and links
// to what is on it.
type page struct {
	Title, Name    string
	Here           []hereLink // on this page
	Previous, Next *pageLink
	Head           hypertext.HTML // beside the manual's own style and script
}

// A pageLink is a link with its text; URLs are our own.
type pageLink struct{ URL, Text string }

func (l pageLink) html() hypertext.HTML {
	return hypertext.Format(`<a href="%s">%s</a>`, l.URL, l.Text)
}

type hereLink struct {
	pageLink
	Deep bool
}

type linkGroup struct {
	Title string
	Links []pageLink
}

func (p page) html(body hypertext.HTML, contents []linkGroup) hypertext.HTML {
	return hypertext.Format(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>%s</title>
<link rel="icon" href="data:image/svg+xml,%%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%%3E%%3Cpath d='M2 13 8 3l6 10z' fill='none' stroke='%%232f7d5d' stroke-width='2' stroke-linejoin='round'/%%3E%%3C/svg%%3E"/>
<link rel="stylesheet" href="manual.css"/>
<script defer="defer" src="manual.js"></script>
%s</head>
<body>
<a class="skip" href="#manual-content">Skip to the text</a>
<header class="top">
<a class="brand" href="index.html">workbench</a>
<form class="search" id="manual-search-form" role="search" hidden="hidden">
<input type="search" id="manual-search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-label="Search the manual" aria-expanded="false" aria-controls="manual-results" aria-autocomplete="list"/>
<kbd class="hint" title="Press / to search">/</kbd>
<ol id="manual-results" role="listbox" aria-label="Results" hidden="hidden"></ol>
</form>
<a class="to-contents" href="#manual-contents">Contents</a>
</header>
<main id="manual-content">
%s%s
</main>%s
<nav class="contents" id="manual-contents" aria-label="Contents">%s
</nav>
</body>
</html>
`, p.Title, p.Head, body, p.turn(), p.here(), hypertext.Each(contents, p.group))
}

// turn are the links to the pages before and after.
func (p page) turn() hypertext.HTML {
	if p.Previous == nil && p.Next == nil {
		return ""
	}
	link := func(to *pageLink, class, word string) hypertext.HTML {
		if to == nil {
			return ""
		}
		return hypertext.Format(`<a class="%s" href="%s"><span>%s</span> %s</a>`, class, to.URL, word, to.Text)
	}
	return hypertext.Format("\n<nav class=\"turn\" aria-label=\"Previous and next page\">%s%s</nav>",
		link(p.Previous, "previous", "Previous"), link(p.Next, "next", "Next"))
}

func (p page) here() hypertext.HTML {
	if len(p.Here) == 0 {
		return ""
	}
	return hypertext.Format(`
<nav class="here" aria-label="On this page">
<p>On this page</p>
<ul>%s
</ul>
</nav>`, hypertext.Each(p.Here, func(l hereLink) hypertext.HTML {
		return hypertext.Format("\n<li%s>%s</li>", hypertext.If(l.Deep, ` class="deep"`), l.html())
	}))
}

func (p page) group(g linkGroup) hypertext.HTML {
	return hypertext.Format("\n<p>%s</p>\n<ul>%s\n</ul>", g.Title, hypertext.Each(g.Links, func(l pageLink) hypertext.HTML {
		return hypertext.Format("\n<li><a href=\"%s\"%s>%s</a></li>", l.URL, hypertext.If(l.URL == p.Name, ` aria-current="page"`), l.Text)
	}))
}
