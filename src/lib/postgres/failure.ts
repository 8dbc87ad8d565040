import { join } from 'node:path'
import { StartupError } from '#lib/startup-error.ts'

export function clusterFailure(folder: string, output: string): StartupError {
  if (/No space left on device|Check free disk space/.test(output))
    return new StartupError(`The disk under ${folder} is full. Free some space, or set DATA_DIR to another folder.`)
  if (/could not look up effective user ID/.test(output))
    return new StartupError(
      `The user ID ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL requires to create its files. ` +
        'Add an entry, start as another user, or set DATABASE_URL to a PostgreSQL server.',
    )
  if (/Permission denied|wrong ownership|Read-only file system/.test(output))
    return new StartupError(
      `PostgreSQL has no permission to use ${folder}. Make the user that starts Atrium its owner, or set DATA_DIR to another folder.\n${output}`,
    )
  return new StartupError(`The embedded PostgreSQL couldn’t start in ${folder}:\n${output || 'It printed nothing.'}`)
}

export function folderFailure(dataDir: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^ENOSPC|^EDQUOT|^SQLITE_FULL/.test(code)) return clusterFailure(dataDir, 'No space left on device')
  if (/^SQLITE_(NOTADB|CORRUPT|FORMAT)/.test(code))
    return new StartupError(
      `The lock file ${join(dataDir, 'server.lock')} is damaged (${code}). Make sure that no Atrium server uses ${dataDir}, delete the file and start again. It contains no data.`,
    )
  if (!/^E(ACCES|PERM|ROFS|NOTDIR|EXIST|ISDIR|NOTEMPTY|IO)$|^SQLITE_/.test(code)) return error
  return new StartupError(
    `The data folder ${dataDir} can’t be used (${code}). Make it writable for this user, or set DATA_DIR to another folder.`,
  )
}
