/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */
/** The texts of networks that don't get the shared ones. @typedef {Partial<Record<string, string[]>>} OwnTexts */

/** What a network gets. @param {PostComposer} composer @param {string} [provider] */
export const textsFor = ({ own, texts }, provider = '') => own[provider] ?? texts

/**
 * Names of the fields with the texts of a network, in a submission.
 * @param {PostComposer} composer
 * @param {number} at the first account of the network among the chosen ones
 * @param {string[]} texts
 */
export const fieldNames = ({ parts }, at, texts) =>
  // An empty text in `text` would mean the shared one.
  texts.length === 1 && parts.length === 1 && texts[0]?.trim() !== ''
    ? [`targets[${at}].text`]
    : texts.map((_, part) => `targets[${at}].thread[${part}].text`)

/** @param {PostComposer} composer @param {FormData} data */
export function shapeOwnTexts(composer, data) {
  const { accounts, own } = composer
  accounts.forEach(({ disabled, dataset: { provider = '' } }, at) => {
    const texts = own[provider]
    if (disabled || !texts) return
    fieldNames(composer, at, texts).forEach((name, part) => {
      data.set(name, texts[part] ?? '')
      if (name.includes('thread')) setImages(composer, data, name.replace(/text$/, 'media'), [part, texts.length])
    })
  })
  if (accounts.length === 0 || !accounts.every(({ dataset: { provider = '' } }) => own[provider])) return
  for (const name of data.keys().filter(isShared).toArray()) data.delete(name)
}

/**
 * The images of a post of an own thread: those of the shared post at its place, or after it when it is the last.
 * @param {PostComposer} composer
 * @param {FormData} data
 * @param {string} list
 * @param {[part: number, parts: number]} place
 */
function setImages({ picker }, data, list, [part, parts]) {
  const images = picker?.images.filter(({ post }) => Math.min(post, parts - 1) === part) ?? []
  images.forEach(({ id, alt }, at) => {
    data.set(`${list}[${at}].mediaId`, id)
    data.set(`${list}[${at}].alt`, alt)
  })
}

/** As it is stored until it is saved. @param {PostComposer} composer */
export const readOwnTexts = ({ own }) => {
  const all = Object.entries(own).flatMap(([provider, texts]) => (texts ? [{ provider, texts }] : []))
  return all.length > 0 ? { ownTexts: all } : {}
}

/** @param {string} name of a field */
const isShared = (name) => name === 'text' || name.startsWith('thread[')
