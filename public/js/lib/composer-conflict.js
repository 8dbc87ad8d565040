import { fillFields } from './composer-fields.js'
import { listConflicts } from './conflict-fields.js'

/**
 * @typedef {import('../elements/post-composer.js').PostComposer} PostComposer
 * @typedef {import('./conflict-fields.js').Conflict} Conflict
 */

/**
 * Shows the fields in which the saved version of a post differs from the typed one, with a choice for each.
 * @param {PostComposer} composer
 */
export async function showConflict(composer) {
  const template = composer.querySelector('template[data-conflict]')
  const place = composer.querySelector('.form-problem')
  const response = await fetch(`/api/posts/${composer.dataset.post}`, { headers: { accept: 'application/json' } })
  if (!response.ok || !place || !(template instanceof HTMLTemplateElement)) return
  const theirs = await response.json()
  // The page of a published post leads to a new one with the text.
  if (theirs.status === 'published') return composer.input?.refresh()
  const conflicts = listConflicts(composer, theirs)
  if (conflicts.length === 0) return acceptVersion(composer, theirs)
  const shown = document.importNode(template.content, true)
  const fields = shown.querySelector('[data-merge]')
  const merged = document.importNode(template.content, true)
  const field = shown.querySelector('template')
  const choices = conflicts.map((conflict) => {
    const { element, choose } = drawField(conflict, field)
    fields?.append(element)
    return choose
  })
  const finish = () => {
    composer.input?.rebase(theirs.version)
    place.replaceChildren()
    refreshEditors()
    focus(composer, '[data-submit]')
  }
  shown.querySelector('[data-use-choice]')?.addEventListener('click', () => {
    const offer = offerUndo(composer, merged)
    for (const choose of choices) choose()
    composer.draw()
    finish()
    offer()
  })
  shown.querySelector('[data-keep-mine]')?.addEventListener('click', finish)
  shown.querySelector('[data-use-theirs]')?.addEventListener('click', () => void composer.input?.discard())
  place.replaceChildren(shown)
  place.scrollIntoView({ block: 'nearest' })
  focus(place, 'input:checked')
}

/** Nothing that is typed differs: another person moved the post, for example. @param {PostComposer} composer @param {{ version: number }} theirs */
function acceptVersion(composer, { version }) {
  composer.input?.rebase(version)
  composer.querySelector('.form-problem')?.replaceChildren()
  refreshEditors()
  const message = 'Your edits don’t conflict with the saved version. Save again to keep them.'
  document.dispatchEvent(new CustomEvent('toast', { detail: { message } }))
}

const refreshEditors = () => document.querySelector('post-editors')?.dispatchEvent(new CustomEvent('live'))

/**
 * Until it is saved, what was typed before the choice can come back.
 * @param {PostComposer} composer
 * @param {DocumentFragment} shown
 */
function offerUndo(composer, shown) {
  const { content, baseVersion } = composer.input?.autosave.copy.body ?? {}
  const template = shown.querySelector('template[data-merged]')
  const place = composer.querySelector('.form-problem')
  if (!content || !baseVersion || !place || !(template instanceof HTMLTemplateElement)) return () => {}
  return () => {
    place.replaceChildren(document.importNode(template.content, true))
    place.querySelector('[data-undo-merge]')?.addEventListener('click', () => {
      fillFields(composer, content)
      composer.draw()
      composer.input?.rebase(baseVersion)
      void showConflict(composer)
    })
  }
}

/**
 * @param {Conflict} conflict
 * @param {HTMLTemplateElement | null} template
 * @returns {{ element: DocumentFragment, choose: () => void }}
 */
function drawField({ name, label, mine, theirs, isEdited, use, write }, template) {
  const element = document.importNode(template?.content ?? document.createDocumentFragment(), true)
  const legend = element.querySelector('legend')
  if (legend) legend.textContent = label
  for (const [version, text] of Object.entries({ mine, theirs })) {
    const place = element.querySelector(`[data-version="${version}"]`)
    if (place) place.textContent = text || 'Nothing'
  }
  const radios = [...element.querySelectorAll('input')]
  const text = element.querySelector('textarea')
  for (const radio of radios) {
    radio.name = `merge.${name}`
    radio.checked = radio.value === (isEdited ? 'mine' : 'theirs')
    radio.addEventListener('change', () => text && show(text, radio))
  }
  if (text) {
    text.value = mine
    text.ariaLabel = `${label}, combined`
  }
  if (!write) element.querySelector('[data-own]')?.remove()
  return {
    element,
    choose: () => {
      const chosen = radios.find(({ checked }) => checked)?.value
      if (chosen === 'theirs') use()
      if (chosen === 'own') write?.(text?.value ?? '')
    },
  }
}

/** @param {HTMLTextAreaElement} text @param {HTMLInputElement} radio */
function show(text, radio) {
  text.hidden = radio.value !== 'own'
  if (!text.hidden) text.focus()
}

/** @param {Element} within @param {string} selector */
function focus(within, selector) {
  const found = within.querySelector(selector)
  if (found instanceof HTMLElement) found.focus()
}
