import { sheet, browser } from '/tmp/w/reviewui-lib.ts'
// name maxH cell=width ...
const [name, h, ...cells] = process.argv.slice(2)
const L = '/work/shared/look/shots/'
await sheet(
  name,
  cells.map((c) => {
    const [f, w] = c.split('=')
    return [f.startsWith('L:') ? L + f.slice(2) + '.png' : f, Number(w)] as [string, number]
  }),
  Number(h),
)
await browser.close()
process.exit(0)
