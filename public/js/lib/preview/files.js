/** @typedef {import('./looks.js').Look} Look */
/** @typedef {{ id: string, alt: string, name: string, kind: string, facts: string, hasPreview: boolean }} File */

/** Files that are shown; a number says how many more there are. */
const most = { mosaic: 4, top: 5, squares: 4, carousel: 10, strip: 10 }

/**
 * The files of a post, arranged as its network does it.
 * @param {File[]} files @param {Look} look
 */
export function drawFiles(files, { grid, alt }) {
  const shots = document.createElement('div')
  shots.className = 'shots'
  shots.dataset.grid = grid
  shots.dataset.count = String(Math.min(files.length, 5))
  if (files.length > 1 && (grid === 'carousel' || grid === 'strip'))
    Object.assign(shots, { tabIndex: 0, role: 'group', ariaLabel: `${files.length} files` })
  const shown = files.slice(0, most[grid])
  shots.append(...shown.map((file) => drawFile(file, alt)))
  const hidden = files.length - shown.length
  if (hidden > 0) shots.lastElementChild?.append(badge(`+${hidden}`, 'rest'))
  if (grid === 'carousel' && files.length > 1) shots.append(badge(`1/${files.length}`, 'place'))
  return shots
}

/** @param {File} file @param {boolean} showsAlt */
function drawFile({ id, alt, name, kind, facts, hasPreview }, showsAlt) {
  const frame = document.createElement('figure')
  frame.dataset.kind = kind
  if (hasPreview) {
    const image = document.createElement('img')
    image.src = `/api/media/${id}/file/preview`
    image.alt = alt
    image.addEventListener('error', () => (image.hidden = true))
    frame.append(image)
  } else {
    const blank = document.createElement('span')
    blank.className = 'pic'
    blank.textContent = name || 'No preview'
    frame.append(blank)
  }
  if (kind === 'video') frame.append(badge('▶', 'play'))
  if (kind !== 'image') frame.append(badge(facts, 'facts'))
  if (showsAlt && alt.trim() !== '') frame.append(badge('ALT', 'alt'))
  return frame
}

/** @param {string} words @param {string} role */
function badge(words, role) {
  const made = document.createElement('span')
  made.dataset.mark = role
  made.textContent = words
  // What it says is in the alt text, or beside it.
  if (role !== 'facts') made.ariaHidden = 'true'
  return made
}
