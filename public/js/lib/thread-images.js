/** The post of a thread that an image belongs to, from 0. @param {HTMLElement} tile */
export const postOf = (tile) => Number(tile.dataset.post ?? 0)

/** When a person chooses another one. @param {Event} event */
export function assignPost({ target }) {
  const tile = target instanceof HTMLSelectElement ? target.closest('li.attach') : null
  if (tile instanceof HTMLElement && target instanceof HTMLSelectElement) tile.dataset.post = target.value
}

/** A choice for each image while there are several posts. @param {HTMLElement} tile @param {number} posts */
export function drawPostChoice(tile, posts) {
  if (postOf(tile) >= posts) tile.dataset.post = String(posts - 1)
  const choice = tile.querySelector('select')
  if (!choice) return
  choice.hidden = posts === 1
  choice.ariaLabel = `Post of ${tile.dataset.name || 'the image'}`
  if (choice.options.length !== posts)
    choice.replaceChildren(...Array.from({ length: posts }, (_, at) => new Option(`In post ${at + 1}`, String(at))))
  choice.value = String(postOf(tile))
}

/** How many of the images each post has; the last one those of later posts, too. @param {HTMLElement[]} tiles @param {number} posts */
export const countPerPost = (tiles, posts) =>
  Array.from({ length: posts }, (_, at) => tiles.filter((tile) => Math.min(postOf(tile), posts - 1) === at).length)

/** Its images go with a removed post. @param {HTMLElement[]} tiles @param {number} removed */
export function removePostOf(tiles, removed) {
  for (const tile of tiles) {
    const post = postOf(tile)
    if (post === removed) tile.remove()
    else if (post > removed) tile.dataset.post = String(post - 1)
  }
}
