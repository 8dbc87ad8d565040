/** Arrow keys, Home, End and initial letters move the focus in an open menu, and from its button into it. */
document.addEventListener(
  'keydown',
  (event) => {
    const { target, key } = event
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return
    const menu = openMenuOf(target)
    if (!menu || target.matches('input, textarea, select')) return
    const items = [...menu.querySelectorAll('a[href], button:enabled')].filter((each) => each.checkVisibility())
    const at = items.indexOf(target)
    const next = nextOf(items, at, key)
    if (!(next instanceof HTMLElement)) return
    event.preventDefault()
    // A letter is no shortcut of the page here.
    event.stopPropagation()
    next.focus()
  },
  { capture: true },
)

/** @param {Element} target in the menu, or its button */
function openMenuOf(target) {
  const id = target.getAttribute('popovertarget')
  const menu = target.closest('.menu') ?? (id ? document.getElementById(id) : null)
  return menu?.matches('.menu:popover-open') ? menu : null
}

/** @param {Element[]} items @param {number} at -1 on the button of the menu @param {string} key */
function nextOf(items, at, key) {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1)
  if (at === -1) return undefined
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length > 1 || key === ' ') return undefined
  const letter = key.toLowerCase()
  return [...items.slice(at + 1), ...items.slice(0, at)].find((each) =>
    each.textContent.trim().toLowerCase().startsWith(letter),
  )
}
