package fair

// list is a doubly linked list. Its nodes are fields of the values that it links, so that adding one
// allocates nothing.
type list[E any] struct {
	head, tail *node[E]
	len        int
}

// node is the place of a value in a list.
type node[E any] struct {
	prev, next *node[E]
	of         *E
}

// add puts a value last. Its node n must not be in a list.
func (l *list[E]) add(n *node[E], of *E) {
	*n = node[E]{prev: l.tail, of: of}
	if l.tail == nil {
		l.head = n
	} else {
		l.tail.next = n
	}
	l.tail = n
	l.len++
}

// remove takes a node out of the list that it is in.
func (l *list[E]) remove(n *node[E]) {
	if n.prev == nil {
		l.head = n.next
	} else {
		n.prev.next = n.next
	}
	if n.next == nil {
		l.tail = n.prev
	} else {
		n.next.prev = n.prev
	}
	l.len--
}
