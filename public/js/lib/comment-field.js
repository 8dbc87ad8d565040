import { lengthOf } from './text-length.js'

/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */

/** @param {PostComposer} composer */
function fieldOf(composer) {
  const field = composer.querySelector('[name="firstComment"]')
  return field instanceof HTMLTextAreaElement ? field : null
}

/** The chosen accounts that take a first comment. @param {PostComposer} composer */
const takers = (composer) => composer.accounts.filter(({ dataset }) => dataset.comments === 'allowed')

/** While an account that takes a first comment is chosen: the field, and how long the comment is. @param {PostComposer} composer */
export function drawComment(composer) {
  const field = fieldOf(composer)
  const group = composer.querySelector('#first-comment')
  if (!field || !(group instanceof HTMLElement)) return
  const networks = new Set(takers(composer).map(({ dataset }) => dataset.provider))
  group.hidden = networks.size === 0 && !('kept' in group.dataset)
  for (const count of composer.querySelectorAll('#comment-rules .count')) {
    if (!(count instanceof HTMLElement)) continue
    const { provider, counting } = count.dataset
    const limit = Number(count.dataset.limit)
    const length = lengthOf(field.value, { counting })
    count.hidden = !networks.has(provider)
    count.dataset.state = length > limit ? 'over' : length > limit * 0.9 ? 'near' : ''
    count.querySelector('i')?.style.setProperty('--value', `${Math.min(100, (length / limit) * 100)}%`)
    const over = length > limit ? `, ${length - limit} over` : ''
    const words = `${length} / ${limit.toLocaleString('en')}${over}`
    const output = count.querySelector('output')
    if (output && output.textContent !== words) output.textContent = words
  }
}

/** Accounts that take none get none, although their network has first comments. @param {PostComposer} composer @param {FormData} data */
export function shapeComment(composer, data) {
  if (fieldOf(composer)?.closest('[hidden]')) return data.delete('firstComment')
  composer.accounts.forEach(({ disabled, dataset }, at) => {
    if (!disabled && dataset.comments === 'permission_missing') data.set(`targets[${at}].firstComment`, '')
  })
}

/** Undefined without the field. @param {PostComposer} composer */
export const readComment = (composer) => fieldOf(composer)?.value

/** @param {PostComposer} composer @param {string} text */
export function fillComment(composer, text) {
  const field = fieldOf(composer)
  if (field) field.value = text
}
