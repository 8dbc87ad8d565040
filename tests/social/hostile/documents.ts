const catalog = '<</Type /Catalog /Pages 2 0 R>>'

/** A PDF of one page in this size in points, with this content and the objects from 5 on that it refers to. */
export function documentOf(size: string, content: string, resources = '', objects: string[] = []): string {
  const stream = (text: string) => `<</Length ${text.length}>>\nstream\n${text}\nendstream`
  const all = [
    catalog,
    '<</Type /Pages /Count 1 /Kids [3 0 R]>>',
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${size}] /Resources <<${resources}>> /Contents 4 0 R>>`,
    stream(content),
    ...objects,
  ]
  return `%PDF-1.7\n${all.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<</Root 1 0 R>>\n%%EOF`
}

const form = (name: number, content: string) =>
  `<</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</F ${name} 0 R>>>> /Length ${content.length}>>\nstream\n${content}\nendstream`

/** A form that is drawn ten times by the form before it: ten to the number of forms. */
const forms = Array.from({ length: 12 }, (_, at) => form(at + 6, '/F Do '.repeat(10)))

const giantImage =
  '<</Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Length 0>>\nstream\n\nendstream'

const drawsForm = '/XObject <</F 5 0 R>>'

/** PDFs whose first page overloads a program that draws it. */
export const overloading: readonly (readonly [name: string, content: string])[] = [
  ['a page of no size', documentOf('0 0', '')],
  ['a page of endless size', documentOf('1e30 1', '0 0 1 1 re f')],
  ['a page far too thin', documentOf('1 20000', '0 0 1 1 re f')],
  ['an image of 10 GB', documentOf('100 100', '/F Do', drawsForm, [giantImage])],
  ['forms that draw a trillion forms', documentOf('100 100', '/F Do', drawsForm, forms)],
  ['a form that draws itself', documentOf('100 100', '/F Do', drawsForm, [form(5, '/F Do')])],
  ['content without end', documentOf('100 100', 'q '.repeat(2_000_000))],
  ['arrays in arrays', documentOf('100 100', `${'['.repeat(200_000)}${']'.repeat(200_000)} TJ`)],
  [
    'dictionaries in dictionaries',
    documentOf('100 100', '', drawsForm, [`${'<</A '.repeat(100_000)}0${'>>'.repeat(100_000)}`]),
  ],
  ['50,000 objects', documentOf('100 100', '/F Do '.repeat(50_000), drawsForm, Array(50_000).fill(form(5, 'n')))],
]
