import { TestNetworkNoAppView } from '@atproto/dev-env'

// A personal data server and a DID directory, as Bluesky runs them, until the process ends.

const network = await TestNetworkNoAppView.create({ pds: {}, plc: {} })
console.log(JSON.stringify({ pds: network.pds.url, plc: network.plc.url }))
