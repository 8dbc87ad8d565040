import { fillComment, readComment } from './comment-field.js'
import { fillLink, readLink } from './link-field.js'
import { instantInWords, scheduleInWords } from './wall-time.js'
import { fillYouTube, readYouTube } from './youtube-fields.js'

/**
 * @typedef {import('../elements/post-composer.js').PostComposer} PostComposer
 * @typedef {{
 *   provider: string, text: string, tags: string[], media: { mediaId: string, alt: string }[], firstComment: string | null,
 *   linkPreview: import('./link-field.js').Card | null,
 *   youtube: { title: string | null, privacy: 'private' | 'unlisted' | 'public', tags: string[], madeForKids: boolean } | null,
 *   scheduledAt: string | null, timeZone: string | null
 * }} SavedPost
 * @typedef {{
 *   name: string, label: string, mine: string, theirs: string,
 *   isEdited: boolean, use: () => void, write?: (text: string) => void
 * }} Conflict A field of which there are two versions; `isEdited` here, and `use` takes the saved one.
 */

/**
 * The fields in which the saved post differs from what is typed.
 * @param {PostComposer} composer
 * @param {SavedPost} saved
 */
export const listConflicts = (composer, saved) =>
  [
    textOf(composer, saved),
    tagsOf(composer, saved),
    mediaOf(composer, saved),
    commentOf(composer, saved),
    linkOf(composer, saved),
    youTubeOf(composer, saved),
    scheduleOf(composer, saved),
  ]
    .filter((field) => field !== null && field.mine !== field.theirs)
    .flatMap((field) => field ?? [])

/** @param {PostComposer} composer @param {SavedPost} saved @returns {Conflict | null} */
function textOf(composer, { text }) {
  const [field] = composer.parts
  if (!field) return null
  const write = (/** @type {string} */ value) => (field.value = value)
  const network = composer.accounts[0]?.dataset.name
  const label = network ? `Text for ${network}` : 'Text'
  const isEdited = field.value !== field.defaultValue || !isBasedOnPage(composer)
  return { name: 'text', label, mine: field.value, theirs: text, isEdited, use: () => write(text), write }
}

/** @param {PostComposer} composer @param {SavedPost} saved @returns {Conflict | null} */
function tagsOf(composer, { tags }) {
  const [field] = composer.inputs('tags')
  if (!field) return null
  const theirs = tags.join(', ')
  const write = (/** @type {string} */ value) => (field.value = value)
  const isEdited = field.value !== field.defaultValue || !isBasedOnPage(composer)
  const mine = field.value
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
    .join(', ')
  return { name: 'tags', label: 'Tags', mine, theirs, isEdited, use: () => write(theirs), write }
}

/** @param {PostComposer} composer @param {SavedPost} saved @returns {Conflict | null} */
function mediaOf({ picker }, { media }) {
  if (!picker) return null
  const mine = picker.images.map(({ id, alt }) => ({ mediaId: id, alt }))
  if (JSON.stringify(mine) === JSON.stringify(media.map(({ mediaId, alt }) => ({ mediaId, alt })))) return null
  const ids = [...new Set([...media, ...mine].map(({ mediaId }) => mediaId))]
  /** @param {{ mediaId: string, alt: string }[]} files */
  const inWords = (files) =>
    files.map(({ mediaId, alt }) => `File ${ids.indexOf(mediaId) + 1}: ${alt || 'no alt text'}`).join('\n')
  const use = () => picker.replace(media)
  return { name: 'media', label: 'Images and videos', mine: inWords(mine), theirs: inWords(media), isEdited: true, use }
}

/** @param {PostComposer} composer @param {SavedPost} saved @returns {Conflict | null} */
function commentOf(composer, { firstComment }) {
  const mine = readComment(composer)
  if (mine === undefined) return null
  const theirs = firstComment ?? ''
  const write = (/** @type {string} */ value) => fillComment(composer, value)
  return { name: 'comment', label: 'First comment', mine, theirs, isEdited: true, use: () => write(theirs), write }
}

/** @param {PostComposer} composer @param {SavedPost} saved @returns {Conflict | null} */
function linkOf(composer, { linkPreview: saved }) {
  const mine = readLink(composer)
  if (mine === undefined) return null
  /** @param {import('./link-field.js').Card | null} card */
  const inWords = (card) =>
    card ? [card.title, card.description, card.url, card.imageUrl ?? 'No image'].filter(Boolean).join('\n') : ''
  const use = () => fillLink(composer, saved)
  return { name: 'link', label: 'Link preview', mine: inWords(mine), theirs: inWords(saved), isEdited: true, use }
}

/** @param {PostComposer} composer @param {SavedPost} saved @returns {Conflict | null} */
function youTubeOf(composer, { youtube }) {
  const mine = readYouTube(composer)
  if (!mine || !youtube) return null
  const theirs = { ...youtube, title: youtube.title ?? '', tags: youtube.tags.join(', ') }
  /** @param {typeof mine} video */
  const inWords = ({ title, privacy, tags, madeForKids }) =>
    [title || 'The first line of the text', privacy, tags, madeForKids ? 'Made for kids' : '']
      .filter(Boolean)
      .join('\n')
  const use = () => fillYouTube(composer, theirs)
  return { name: 'youtube', label: 'Video', mine: inWords(mine), theirs: inWords(theirs), isEdited: true, use }
}

/** Only when it was edited here: else the saved time is kept. @param {PostComposer} composer @param {SavedPost} saved @returns {Conflict | null} */
function scheduleOf(composer, { scheduledAt }) {
  if (!scheduledAt || !composer.moved || composer.when !== 'at') return null
  const zone = composer.value('timeZone')
  const [date, time] = new Date(scheduledAt).toLocaleString('sv-SE', { timeZone: zone }).split(' ')
  const own = zone
  const mine = { date: composer.value('scheduledAt.date'), time: composer.value('scheduledAt.time') }
  if (mine.date === date && mine.time === time?.slice(0, 5)) return null
  const { now } = composer
  return {
    name: 'schedule',
    label: 'Time',
    mine: scheduleInWords({ ...mine, zone, own, now }).words,
    theirs: instantInWords({ at: Date.parse(scheduledAt), zone, own, now }),
    isEdited: true,
    use: () => {
      for (const [name, value] of Object.entries({ date, time: time?.slice(0, 5) })) {
        const [field] = composer.inputs(`scheduledAt.${name}`)
        if (field) field.value = value ?? ''
      }
    },
  }
}

/** Whether the page shows the version that the input is based on, so that its own values are those before the edit. @param {PostComposer} composer */
function isBasedOnPage(composer) {
  const [version] = composer.inputs('version')
  return version !== undefined && composer.input?.autosave.baseVersion === Number(version.defaultValue)
}
