import { placeOf, showError } from './lib/field-errors.js'

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

let isReported = false

// What the browser finds invalid is shown like what the server refuses. Without scripts the browser shows it.
document.addEventListener(
  'invalid',
  (event) => {
    const control = event.target
    if (!isControl(control) || !placeOf(control)) return
    event.preventDefault()
    showError(control, messageOf(control))
    if (isReported) return
    isReported = true
    // The events of all controls of a form come at once, in their order.
    setTimeout(() => (isReported = false))
    control.focus()
  },
  true,
)

/** @param {EventTarget | null} target @returns {target is Control} */
const isControl = (target) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/** @param {Control} control */
function messageOf(control) {
  const { validity, validationMessage, type } = control
  if (validity.valueMissing) return 'Required.'
  if (control instanceof HTMLSelectElement) return validationMessage
  if (validity.tooShort) return `Enter at least ${control.minLength} characters.`
  if (validity.tooLong) return `Enter at most ${control.maxLength} characters.`
  if (control instanceof HTMLTextAreaElement) return validationMessage
  if (validity.typeMismatch && type === 'email') return 'Enter an email address, such as ada@example.com.'
  if (validity.typeMismatch && type === 'url') return 'Enter a URL, such as https://example.com.'
  if (validity.rangeUnderflow) return `Must be at least ${control.min}.`
  if (validity.rangeOverflow) return `Must be at most ${control.max}.`
  if (validity.patternMismatch && control.title) return control.title
  return validationMessage
}
