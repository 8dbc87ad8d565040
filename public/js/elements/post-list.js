/** The list of posts: its selection, and its keys. Loaded by the page that has it. */

const rowSelector = '#posts tr[id]'

/** @returns {HTMLInputElement[]} */
const boxes = () => [...document.querySelectorAll('#posts input[name="ids"]')].filter(isInput)

/** @param {unknown} element @returns {element is HTMLInputElement} */
const isInput = (element) => element instanceof HTMLInputElement

/** @param {HTMLInputElement} box posts of a thread share one */
const countOf = ({ value }) => value.split(',').length

/** Shows what is selected. */
function update() {
  const all = boxes()
  const checked = all.filter((box) => box.checked)
  const bar = document.getElementById('selection')
  if (bar) {
    bar.hidden = checked.length === 0
    const count = bar.querySelector('[data-count]')
    const text = String(checked.reduce((sum, box) => sum + countOf(box), 0))
    if (count && count.textContent !== text) count.textContent = text
  }
  const every = document.querySelector('#posts [data-select-all]')
  if (!isInput(every)) return
  every.hidden = all.length === 0
  every.checked = all.length > 0 && checked.length === all.length
  every.indeterminate = checked.length > 0 && checked.length < all.length
}

/** @param {boolean} isChecked */
function setAll(isChecked) {
  for (const box of boxes()) box.checked = isChecked
  update()
}

document.addEventListener('change', ({ target }) => {
  if (!isInput(target)) return
  if (target.matches('[data-select-all]')) setAll(target.checked)
  if (target.name === 'ids') update()
})

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('#selection [data-clear]')) return
  setAll(false)
  focusRow(0)
})

document.addEventListener('htmx:after:swap', update)

document.addEventListener('htmx:after:request', (event) => {
  if (!(event instanceof CustomEvent)) return
  const { sourceElement, response } = event.detail.ctx
  if (!sourceElement.matches('[data-bulk]') || !(response?.status < 400)) return
  setAll(false)
  // The control is hidden now, with the selection.
  if (sourceElement.closest('#selection')) focusRow(0)
})

const rows = () => [...document.querySelectorAll(rowSelector)]

/** The row with the focus, or the one that had it last. */
let lastRowId = ''

document.addEventListener('focusin', ({ target }) => {
  const row = target instanceof Element ? target.closest(rowSelector) : null
  if (row) lastRowId = row.id
})

const currentRow = () => document.activeElement?.closest(rowSelector) ?? null

/** Focuses the row that is `step` rows after the current one; the first one when there is none. @param {number} step */
function focusRow(step) {
  const all = rows()
  const current = currentRow() ?? document.getElementById(lastRowId)
  const at = current ? all.indexOf(current) : -1
  const next = at < 0 ? all[0] : all[Math.min(Math.max(at + step, 0), all.length - 1)]
  const link = next?.querySelector('.row-link')
  if (!(link instanceof HTMLElement)) return
  link.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** @type {Record<string, () => void>} */
const keys = {
  j: () => focusRow(1),
  k: () => focusRow(-1),
  x: () => {
    const box = currentRow()?.querySelector('input[name="ids"]')
    if (isInput(box)) box.click()
  },
  a: () => {
    const button = document.querySelector('#selection:not([hidden]) button')
    if (button instanceof HTMLElement) button.focus()
  },
  e: () => follow(currentRow()?.getAttribute('data-edit')),
  c: () => follow(document.querySelector('a[href^="/workspace/posts/new"]')?.getAttribute('href')),
  '?': () => {
    const dialog = document.getElementById('shortcuts')
    if (dialog instanceof HTMLDialogElement) dialog.showModal()
  },
}

/** @param {string | null | undefined} href */
function follow(href) {
  if (href) location.assign(href)
}

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'

/** Whether a key is meant for something else: text, a dialog or a menu. @param {KeyboardEvent} event */
const isElsewhere = ({ defaultPrevented, ctrlKey, metaKey, altKey, isComposing, target }) =>
  defaultPrevented ||
  ctrlKey ||
  metaKey ||
  altKey ||
  isComposing ||
  (target instanceof Element && target.matches(typing)) ||
  document.querySelector('dialog[open], :popover-open') !== null

document.addEventListener('keydown', (event) => {
  const act = keys[event.key]
  if (!act || isElsewhere(event)) return
  event.preventDefault()
  act()
})

update()
