/** @typedef {import('./media-tile.js').Network} Network */

/** By the strictest of each network's accounts. @param {HTMLInputElement[]} accounts @returns {Network[]} */
export const networksOf = (accounts) =>
  [...Map.groupBy(accounts, ({ dataset }) => dataset.provider)].map(([provider = '', ofNetwork]) => ({
    provider,
    name: ofNetwork[0]?.dataset.name ?? '',
    mixed: ofNetwork.every(({ dataset }) => dataset.mixed !== undefined),
    singleAnimation: ofNetwork.some(({ dataset }) => dataset.singleAnimation !== undefined),
  }))

/**
 * The number of images with each network's limit: “2 of 4 for X and Bluesky”.
 * @param {HTMLInputElement[]} accounts
 * @param {number} images
 */
export function countImages(accounts, images) {
  const networks = [...Map.groupBy(accounts, ({ dataset }) => dataset.name)].map(([name = '', ofNetwork]) => ({
    name,
    room: Math.min(...ofNetwork.map(({ dataset }) => Number(dataset.media))),
  }))
  const list = new Intl.ListFormat('en')
  const words = [...Map.groupBy(networks, ({ room }) => room)].map(
    ([room, same]) => `${images} of ${room} for ${list.format(same.map(({ name }) => name))}`,
  )
  return { words: words.join(', '), over: networks.some(({ room }) => images > room) }
}
