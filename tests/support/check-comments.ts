import { readFileSync } from 'node:fs'

/** Percent of the lines of src and views that comments can take: they say why, the code says what (docs/style.md). */
const maxPercent = 5

/** Lines that hold nothing but a comment. */
export function countCommentLines(text: string): number {
  let count = 0
  let isInBlock = false
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (!isInBlock && !/^(?:\/\/|\{?\/\*)/.test(line)) continue
    count += 1
    isInBlock = !line.startsWith('//') && !line.includes('*/')
  }
  return count
}

if (import.meta.main) {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', 'src/*.ts', 'src/*.tsx', 'views/*.ts', 'views/*.tsx'])
  const files = stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((file) => {
      const text = readFileSync(file, 'utf8')
      return { file, lines: text.split('\n').length - 1, comments: countCommentLines(text) }
    })
  const lines = files.reduce((sum, each) => sum + each.lines, 0)
  const comments = files.reduce((sum, each) => sum + each.comments, 0)
  const percent = (100 * comments) / lines
  if (percent > maxPercent) {
    console.log('Delete comments that repeat the code, the name or the type. Most comments for their length:')
    const worst = files.filter((each) => each.comments > 5).sort((a, b) => b.comments / b.lines - a.comments / a.lines)
    for (const each of worst.slice(0, 20)) console.log(`${each.file}: ${each.comments} of ${each.lines} lines`)
  }
  console.log(`${comments} of ${lines} lines are comments: ${percent.toFixed(1)} %, at most ${maxPercent} %`)
  process.exit(percent > maxPercent ? 1 : 0)
}
