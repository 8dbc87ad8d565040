export interface FieldError {
  path: string
  message: string
}

const maxNamed = 10

export function describeFieldErrors(errors: readonly FieldError[]): string {
  const sentences = errors.slice(0, maxNamed).map(describeFieldError)
  const left = errors.length - maxNamed
  return [...sentences, ...(left > 0 ? [`See errors for ${left} more.`] : [])].join(' ')
}

/** A field's message begins with Must, Enter, Choose or Required, since a form shows it next to the field. */
function describeFieldError({ path, message }: FieldError): string {
  if (path === '') return message
  const [, bound = '', unit = ''] = /^(?:Enter|Choose) (at (?:least|most) [\d,]+)( characters?)?\.$/.exec(message) ?? []
  if (bound) return `${path} must have ${bound}${unit || (bound.endsWith(' 1') ? ' item' : ' items')}.`
  if (/^(Must|Required)\b/.test(message))
    return `${path} ${message.startsWith('Required') ? 'is ' : ''}${uncapitalize(message)}`
  if (/^Enter [^,.]+\.$/.test(message)) return `${path} is required.`
  if (/^Enter\b/.test(message)) return `${path} is required: ${uncapitalize(message)}`
  if (/^Choose\b/.test(message)) return `${path}: ${uncapitalize(message)}`
  return namesField(message, path) ? message : `${path}: ${message}`
}

const namesField = (message: string, path: string): boolean =>
  message === path ||
  message.startsWith(`${path} `) ||
  message.includes(` ${path} `) ||
  message.endsWith(` field ${path}.`)

const uncapitalize = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)
