import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { mutants } from '../mutants/mutants.ts'

const project = resolve(import.meta.dir, '..', '..')

test('every mutant changes exactly one place of an existing file', async () => {
  const wrong: string[] = []
  for (const { name, file, from } of mutants) {
    const source = Bun.file(join(project, file))
    const places = (await source.exists()) ? (await source.text()).split(from).length - 1 : 0
    if (places !== 1) wrong.push(`${name}: ${file} has its text ${places} times`)
  }
  expect(wrong).toEqual([])
})

test('every test file that is run against a mutant exists', async () => {
  const paths = [...new Set(mutants.flatMap(({ tests }) => tests))]
  const there = await Promise.all(paths.map((path) => Bun.file(join(project, path)).exists()))
  expect(paths.filter((_, at) => !there[at])).toEqual([])
})
