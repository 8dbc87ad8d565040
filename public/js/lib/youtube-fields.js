/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */

/** @typedef {{ title: string, privacy: 'private' | 'unlisted' | 'public', tags: string, madeForKids: boolean }} YouTubeInput */

const names = ['title', 'privacy', 'tags', 'madeForKids'].map((name) => `youtube.${name}`)

/** @param {PostComposer} composer */
const fieldsOf = (composer) => composer.querySelector('#youtube')

/** @param {HTMLInputElement[]} accounts */
const channelsOf = (accounts) => accounts.filter(({ dataset }) => dataset.provider === 'youtube')

/** @param {PostComposer} composer */
const isChosen = (composer) => channelsOf(composer.accounts).length > 0

/** The fields of a video, while a channel is chosen, and what YouTube will refuse of them. @param {PostComposer} composer */
export function drawYouTube(composer) {
  const fields = fieldsOf(composer)
  if (!(fields instanceof HTMLElement)) return
  fields.hidden = !isChosen(composer)
  if (fields.hidden) return
  const hint = fields.querySelector('[data-youtube-hint]')
  const output = hint?.querySelector('output')
  if (!hint || !output) return
  const { title, tags, refused } = limitsOf(channelsOf(composer.accounts))
  const own = composer.value('youtube.title').trim()
  const all = listOf(composer.value('youtube.tags'))
  const wrongs = [
    over('Title', own.length, title),
    over('Tags', lengthOfTags(all), tags),
    [...refused].some((each) => `${own}${all.join('')}${composer.parts[0]?.value ?? ''}`.includes(each))
      ? `YouTube doesn’t accept ${[...refused].join(' and ')}.`
      : '',
  ].filter(Boolean)
  hint.toggleAttribute('data-wrong', wrongs.length > 0)
  const words = wrongs.join(' ') || `Title ${own.length} / ${title}, tags ${lengthOfTags(all)} / ${tags}`
  if (output.textContent !== words) output.textContent = words
}

/** Only posts to YouTube have these fields. @param {PostComposer} composer @param {FormData} data */
export function shapeYouTube(composer, data) {
  if (!isChosen(composer)) for (const name of names) data.delete(name)
}

/** Undefined without a channel. @param {PostComposer} composer @returns {YouTubeInput | undefined} */
export function readYouTube(composer) {
  if (!fieldsOf(composer) || channelsOf(composer.inputs('account')).length === 0) return undefined
  const privacy = composer.value('youtube.privacy')
  return {
    title: composer.value('youtube.title'),
    privacy: privacy === 'public' || privacy === 'unlisted' ? privacy : 'private',
    tags: composer.value('youtube.tags'),
    madeForKids: composer.value('youtube.madeForKids') === 'true',
  }
}

/** @param {PostComposer} composer @param {YouTubeInput} input */
export function fillYouTube(composer, { title, privacy, tags, madeForKids }) {
  const values = { title, privacy, tags, madeForKids: String(madeForKids) }
  for (const [name, value] of Object.entries(values)) {
    const field = composer.querySelector(`[name="youtube.${name}"]`)
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
  }
}

/** @param {string} text */
const listOf = (text) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

/** As YouTube counts them: with commas between them, and quotation marks around those with a space. @param {string[]} tags */
const lengthOfTags = (tags) =>
  tags.reduce((sum, tag) => sum + tag.length + (tag.includes(' ') ? 2 : 0), Math.max(tags.length - 1, 0))

/** The strictest ones. @param {HTMLInputElement[]} channels */
const limitsOf = (channels) => ({
  title: Math.min(...channels.map(({ dataset }) => Number(dataset.videoTitle))),
  tags: Math.min(...channels.map(({ dataset }) => Number(dataset.videoTags))),
  refused: [...new Set(channels.map(({ dataset }) => dataset.refused ?? '').join(''))].join(''),
})

/** @param {string} what @param {number} length @param {number} limit */
function over(what, length, limit) {
  const count = length - limit
  return count > 0 ? `${what}: ${count} ${count === 1 ? 'character' : 'characters'} over ${limit}.` : ''
}
