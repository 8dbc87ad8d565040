import { ZoneChoice } from '../elements/zone-choice.js'
import { fillComment, readComment } from './comment-field.js'
import { fillLink, readLink } from './link-field.js'
import { readOwnTexts } from './own-texts.js'
import { fillYouTube, readYouTube } from './youtube-fields.js'

/** @typedef {import('./unsaved-copies.js').Content} Content */
/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */

/** The input of the form, as it is stored until it is saved. @param {PostComposer} composer @returns {Content} */
export const readFields = (composer) => ({
  texts: composer.texts,
  ...readOwnTexts(composer),
  connectionIds: composer.accounts.filter(({ disabled }) => !disabled).map(({ value }) => value),
  media:
    composer.picker?.images.map(({ id, alt, post }) => ({ mediaId: id, alt, ...(post > 0 && { part: post }) })) ?? [],
  tags: composer.value('tags'),
  campaign: composer.value('campaign'),
  when: composer.when,
  // Empty while the schedule isn't edited: it can be changed elsewhere.
  date: composer.keepsTime ? '' : composer.value('scheduledAt.date'),
  time: composer.keepsTime ? '' : composer.value('scheduledAt.time'),
  timeZone: composer.value('timeZone'),
  youtube: readYouTube(composer),
  firstComment: readComment(composer),
  linkPreview: readLink(composer),
})

/** Whether something was typed before the scripts were loaded. @param {PostComposer} composer */
export const isTouched = (composer) =>
  [...composer.querySelectorAll('textarea, input')].some((field) =>
    field instanceof HTMLInputElement
      ? field.checked !== field.defaultChecked || (field.name !== '' && field.value !== field.defaultValue)
      : field instanceof HTMLTextAreaElement && field.value !== field.defaultValue,
  )

/** Fills the form with stored input. @param {PostComposer} composer @param {Content} content */
export function fillFields(composer, content) {
  const { parts } = composer
  for (const part of parts.slice(content.texts.length)) part.closest('li')?.remove()
  for (let missing = content.texts.length - parts.length; missing > 0; missing--) composer.appendPart()
  composer.parts.forEach((part, at) => (part.value = content.texts[at] ?? ''))
  composer.own = Object.fromEntries((content.ownTexts ?? []).map(({ provider, texts }) => [provider, texts]))
  for (const account of composer.inputs('account'))
    if (!account.disabled) account.checked = content.connectionIds.includes(account.value)
  setValue(composer, 'tags', content.tags)
  if (content.campaign !== undefined) setValue(composer, 'campaign', content.campaign)
  if (content.firstComment !== undefined) fillComment(composer, content.firstComment)
  if (content.linkPreview !== undefined) fillLink(composer, content.linkPreview)
  if (content.youtube) fillYouTube(composer, content.youtube)
  composer.picker?.replace(content.media)
  if (content.date !== '' || content.time !== '') fillSchedule(composer, content)
}

/** @param {PostComposer} composer @param {Content} content */
function fillSchedule(composer, { when, date, time, timeZone }) {
  composer.moved = true
  for (const choice of composer.inputs('when')) choice.checked = choice.value === when
  setValue(composer, 'scheduledAt.date', date)
  setValue(composer, 'scheduledAt.time', time)
  const zone = composer.querySelector('zone-choice')
  if (zone instanceof ZoneChoice) zone.set(timeZone)
}

/** @param {PostComposer} composer @param {string} name @param {string} value */
function setValue(composer, name, value) {
  const field = composer.querySelector(`[name="${name}"]`)
  if (field instanceof HTMLInputElement) field.value = value
}
