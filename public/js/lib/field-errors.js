/**
 * Shows a message at a control, until its next input.
 * @param {HTMLElement} control
 * @param {string} message
 */
export function showError(control, message) {
  control.setAttribute('aria-invalid', 'true')
  const place = placeOf(control) ?? createPlace(control)
  ;(place.querySelector('span') ?? place).textContent = message
  control.addEventListener('input', () => clearError(control), { once: true })
}

/** @param {Element} control */
export const clearError = (control) => control.removeAttribute('aria-invalid')

/** The element that the page has for the control's error. @param {HTMLElement} control */
export const placeOf = (control) => document.getElementById(`${control.id}-error`)

/** @param {HTMLElement} control */
function createPlace(control) {
  control.id ||= `field-${crypto.randomUUID()}`
  const place = document.createElement('p')
  place.id = `${control.id}-error`
  place.className = 'error'
  place.append(...alertIcon(), document.createElement('span'))
  control.after(place)
  control.setAttribute('aria-describedby', `${control.getAttribute('aria-describedby') ?? ''} ${place.id}`.trim())
  return place
}

/** A copy of any icon of the page, since only the server knows the sprite's address. */
function alertIcon() {
  const icon = document.querySelector('svg.icon')?.cloneNode(true)
  const use = icon instanceof SVGElement && icon.querySelector('use')
  if (!use) return []
  use.setAttribute('href', use.getAttribute('href')?.replace(/#.*/, '#circle-alert') ?? '')
  return [icon]
}
