/** A body as the names and values of form fields: `target.id`, `lines[0].name`. */
export function fieldsOfBody(value: unknown, name = ''): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => fieldsOfBody(item, `${name}[${at}]`))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => fieldsOfBody(item, name === '' ? key : `${name}.${key}`))
  return name === '' ? [] : [[name, typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)]]
}
