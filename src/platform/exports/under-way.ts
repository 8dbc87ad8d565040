import { join } from 'node:path'

export const folderUnderWay = ({ DATA_DIR }: { DATA_DIR: string }): string => join(DATA_DIR, 'exports-under-way')
