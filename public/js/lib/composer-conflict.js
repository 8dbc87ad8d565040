/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */

/**
 * Shows the saved text of a post next to the typed one, with a choice between them.
 * @param {PostComposer} composer
 */
export async function showConflict(composer) {
  const template = composer.querySelector('template[data-conflict]')
  const place = composer.querySelector('.form-problem')
  const response = await fetch(`/api/posts/${composer.dataset.post}`, { headers: { accept: 'application/json' } })
  if (!response.ok || !place || !(template instanceof HTMLTemplateElement)) return
  const theirs = await response.json()
  const shown = document.importNode(template.content, true)
  write(shown, 'theirs', theirs.text)
  write(shown, 'mine', composer.parts.map(({ value }) => value).join('\n\n'))
  shown.querySelector('[data-keep-mine]')?.addEventListener('click', () => {
    composer.input?.rebase(theirs.version)
    place.replaceChildren()
    focus(composer, '[data-submit]')
  })
  shown.querySelector('[data-use-theirs]')?.addEventListener('click', () => void composer.input?.discard())
  place.replaceChildren(shown)
  focus(place, '[data-keep-mine]')
}

/** @param {DocumentFragment} shown @param {string} name @param {string} text */
function write(shown, name, text) {
  const version = shown.querySelector(`[data-version="${name}"]`)
  if (version) version.textContent = text
}

/** @param {Element} within @param {string} selector */
function focus(within, selector) {
  const found = within.querySelector(selector)
  if (found instanceof HTMLElement) found.focus()
}
