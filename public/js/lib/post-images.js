/** @typedef {import('./media-tile.js').Network} Network */

/** @param {HTMLInputElement[]} accounts @returns {Network[]} */
export const networksOf = (accounts) =>
  [...new Map(accounts.map((account) => [account.dataset.provider, account.dataset])).values()].map(
    ({ provider = '', name = '', mixed, singleAnimation }) => ({
      provider,
      name,
      mixed: mixed !== undefined,
      singleAnimation: singleAnimation !== undefined,
    }),
  )

/**
 * The number of images with each network's limit: “2 of 4 for X and Bluesky”.
 * @param {HTMLInputElement[]} accounts
 * @param {number} images
 */
export function countImages(accounts, images) {
  /** @type {Map<number, Set<string>>} */
  const byRoom = new Map()
  for (const { dataset } of accounts) {
    const room = Number(dataset.media)
    byRoom.set(room, (byRoom.get(room) ?? new Set()).add(dataset.name ?? ''))
  }
  const list = new Intl.ListFormat('en')
  const words = [...byRoom].map(([room, names]) => `${images} of ${room} for ${list.format(names)}`)
  return { words: words.join(', '), over: [...byRoom.keys()].some((room) => images > room) }
}

/** Hidden when the file has no preview. @param {string} src */
function makeThumbnail(src) {
  const image = document.createElement('img')
  image.addEventListener('error', () => (image.hidden = true))
  image.src = src
  return image
}

/**
 * Shows the images in the preview. Existing ones stay, so that nothing flickers during typing.
 * @param {Element | null} shots
 * @param {{ id: string, alt: string }[]} images
 */
export function drawThumbnails(shots, images) {
  if (!(shots instanceof HTMLElement)) return
  shots.hidden = images.length === 0
  const there = new Map([...shots.querySelectorAll('img')].map((image) => [image.getAttribute('src'), image]))
  const drawn = images.map(({ id, alt }) => {
    const src = `/api/media/${id}/file/preview`
    const image = there.get(src) ?? makeThumbnail(src)
    image.alt = alt
    return image
  })
  const same = drawn.length === shots.children.length && drawn.every((image, at) => shots.children[at] === image)
  if (!same) shots.replaceChildren(...drawn)
}
