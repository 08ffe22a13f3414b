import type { Directory, Features } from './directory.ts'
import { startTransactionOid } from './transaction.ts'

/** Not `complete` while the base entry does not exist: it shows whether entries carry entryCSN. */
export const readFeatures = async (
  read: Directory['read'],
  baseDn: string,
): Promise<Features & { complete: boolean }> => {
  const [root, base] = await Promise.all([
    read('', ['objectClass', 'supportedExtension', 'vendorName', 'vendorVersion']),
    read(baseDn, ['entryCSN']),
  ])
  const { objectClass, supportedExtension, vendorName, vendorVersion } = root?.attributes ?? {}
  const vendor = [vendorName?.[0], vendorVersion?.[0]].filter((part) => part !== undefined).join(' ')
  return {
    transactions: supportedExtension?.includes(startTransactionOid) ?? false,
    entryCsn: (base?.attributes.entryCSN ?? []).length > 0,
    vendor: vendor || (objectClass?.includes('OpenLDAProotDSE') ? 'OpenLDAP' : ''),
    complete: base !== null,
  }
}
