package sessionio

// Tree is the shape of a session: every entry once, cycles cut, entries whose parent does not
// exist as roots of their own. It is immutable; appending gives a new one that shares what it can.
type Tree struct{ _ struct{} }

// NewTree builds a tree from entries in file order. A later duplicate id wins.
func NewTree(metas []Meta) *Tree { panic("contract") }

// Len is the number of entries.
func (t *Tree) Len() int { panic("contract") }

// Get finds an entry.
func (t *Tree) Get(id EntryID) (Meta, bool) { panic("contract") }

// All lists every entry in file order.
func (t *Tree) All() []Meta { panic("contract") }

// Roots lists the entries without a parent, in file order.
func (t *Tree) Roots() []EntryID { panic("contract") }

// Children lists an entry's children by time, stable.
func (t *Tree) Children(id EntryID) []EntryID { panic("contract") }

// Path lists the entries from the root to leaf, both included; nil for "" or an unknown leaf.
func (t *Tree) Path(leaf EntryID) []Meta { panic("contract") }

// CommonAncestor is the deepest entry on both paths, "" when there is none.
func (t *Tree) CommonAncestor(a, b EntryID) EntryID { panic("contract") }

// LastEntry is the file's last entry with an id: the leaf on load.
func (t *Tree) LastEntry() EntryID { panic("contract") }
