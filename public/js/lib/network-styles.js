import { loadStyles } from './load-styles.js'

/** The styles of tabs and previews, which few visits need. @param {Element} composer */
export function loadNetworkStyles(composer) {
  const place = composer.querySelector('[data-styles]')
  return place instanceof HTMLElement ? loadStyles(place.dataset.styles) : undefined
}
