/**
 * Makes an element's button copy the text of its `output` or `pre`, and confirm that in its status.
 * @param {HTMLElement} element
 */
export function copyByButton(element) {
  element.querySelector('[data-copy]')?.addEventListener('click', () => copy(element))
}

/** @param {HTMLElement} element */
async function copy(element) {
  const text = element.querySelector('output, pre')
  const status = element.querySelector('[role="status"]')
  if (!text || !status) return
  const copied = await navigator.clipboard?.writeText(text.textContent ?? '').then(
    () => true,
    () => false,
  )
  if (!copied) getSelection()?.selectAllChildren(text)
  status.textContent = copied ? 'Copied' : 'Press Ctrl+C to copy'
}
