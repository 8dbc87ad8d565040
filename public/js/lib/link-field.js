/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */
/** @typedef {{ url: string, title: string, description: string, imageUrl: string | null }} Card */

/** @param {PostComposer} composer @returns {HTMLElement | null} */
const fieldOf = (composer) => composer.querySelector('#link-preview')

/** The chosen accounts whose posts can have a link preview. @param {PostComposer} composer */
export const linkTakers = (composer) => composer.accounts.filter(({ dataset }) => dataset.linkPreview)

/** Null without one, undefined without its field. @param {PostComposer} composer @returns {Card | null | undefined} */
export function readLink(composer) {
  const field = fieldOf(composer)
  return field ? JSON.parse(field.dataset.card ?? 'null') : undefined
}

/** @param {PostComposer} composer @param {Card | null} card */
export function fillLink(composer, card) {
  const field = fieldOf(composer)
  if (field && card) field.dataset.card = JSON.stringify(card)
  else delete field?.dataset.card
}

/** The field, once it has something to show. @param {PostComposer} composer */
export function wantsLink(composer) {
  const field = fieldOf(composer)
  const hasLink = () => /https?:/i.test(JSON.stringify([composer.texts, composer.own]))
  return field?.dataset.card || (linkTakers(composer).length > 0 && hasLink()) ? field : null
}

/** @param {PostComposer} composer @param {FormData} data */
export function shapeLink(composer, data) {
  const card = readLink(composer)
  const isEdit = composer.dataset.post !== undefined
  if (card && (isEdit || linkTakers(composer).length > 0))
    for (const [name, value] of Object.entries(card)) data.set(`linkPreview.${name}`, value ?? '')
  else if (card === null && isEdit) data.set('linkPreview.url', '')
}
