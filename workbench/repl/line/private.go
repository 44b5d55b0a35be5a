package line

// Keys that readline would handle in its own way travel through its line
// buffer as private characters, so that the editor's listener sees them together
// with the text. They are never shown and never leave the editor.
const (
	firstPrivate      = '\U0010F700'
	privateUp         = '\U0010F700'
	privateDown       = '\U0010F701'
	privateTab        = '\U0010F702'
	privateInsert     = '\U0010F703' // a text that the keys hold
	privateNewline    = '\U0010F704'
	privateStart      = '\U0010F705'
	privateEnd        = '\U0010F706'
	privateKill       = '\U0010F707'
	privateKillFront  = '\U0010F708'
	privateKillWord   = '\U0010F709'
	privateDeleteWord = '\U0010F70A'
	privateYank       = '\U0010F70B'
	privateUndo       = '\U0010F70C'
	privateDelete     = '\U0010F70D'
	privateOpen       = '\U0010F70E'
	privateOlder      = '\U0010F70F'
	privateNewer      = '\U0010F710'
	privateWordLeft   = '\U0010F711'
	privateWordRight  = '\U0010F712'
	privateSearch     = '\U0010F713' // what the search found
	privateAccept     = '\U0010F714' // takes the suggestion
	lastPrivate       = '\U0010F71F'
)
