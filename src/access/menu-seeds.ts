import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { Seeded } from '../db/seeded.ts'
import { consoleMenus, earlierMenus } from './console-menus.ts'

/** Menus by the keyword of the role that is granted them at first; what is under them goes along. */
const menusOf: Readonly<Record<string, readonly string[]>> = { user: ['Diet', 'Me'], guest: ['Me'] }

/**
 * Creates the console's menus, each once: a menu that an administrator deletes is not created again, and neither are
 * its children. Menus of an earlier release are updated if no administrator has changed them.
 */
export const seedMenus = async (tx: Tx, seeded: Seeded, creator: string): Promise<void> => {
  await followRelease(tx, creator)
  const wanted = consoleMenus
    .map((menu, index) => ({ ...menu, sort: index + 1 }))
    .filter(({ name }) => seeded.claim('menu', name))
  // Parents first: what is under them looks their ids up.
  for (const menus of [wanted.filter(({ parent }) => !parent), wanted.filter(({ parent }) => parent)]) {
    await tx.execute(sql`
      insert into menus (name, title, path, component, icon, redirect, sort, parent_id, creator)
      select m.name, m.title, m.path, m.component, m.icon, m.redirect, m.sort, p.id, ${creator}
      from jsonb_to_recordset(${JSON.stringify(menus)}::jsonb)
        as m (name text, title text, path text, component text, icon text, redirect text, sort int, parent text)
      left join menus p on p.name = m.parent
      where m.parent is null or p.id is not null
      order by m.sort
      on conflict do nothing`)
  }
}

const followRelease = async (tx: Tx, creator: string): Promise<void> => {
  // As it was created: a change of any field would have changed `updated_at`.
  const untouched = sql`m.creator = ${creator} and m.updated_at = m.created_at`
  await tx.execute(sql`
    delete from menus m using jsonb_to_recordset(${JSON.stringify(earlierMenus)}::jsonb) as e (name text, "from" jsonb, "to" jsonb)
    where e."to" is null and m.name = e.name and ${untouched} and to_jsonb(m) @> e."from"
      and not exists (select from menus c where c.parent_id = m.id)`)
  await tx.execute(sql`
    update menus m set
      path = coalesce(e."to"->>'path', m.path),
      component = coalesce(e."to"->>'component', m.component),
      redirect = coalesce(e."to"->>'redirect', m.redirect)
    from jsonb_to_recordset(${JSON.stringify(earlierMenus)}::jsonb) as e (name text, "from" jsonb, "to" jsonb)
    where e."to" is not null and m.name = e.name and ${untouched} and to_jsonb(m) @> e."from"`)
}

/** Grants menus once: a grant that an administrator removes is not restored, and neither are those below it. */
export const grantMenus = async (tx: Tx, seeded: Seeded): Promise<void> => {
  const wanted = Object.entries(menusOf).flatMap(([role, tops]) =>
    consoleMenus
      .filter(({ name, parent }) => tops.includes(parent ?? name))
      .filter(({ name }) => seeded.claim('menu grant', `${role} ${name}`))
      .map(({ name, parent }) => ({ role, name, parent })),
  )
  for (const grants of [wanted.filter(({ parent }) => !parent), wanted.filter(({ parent }) => parent)]) {
    await tx.execute(sql`
      insert into role_menus (role_id, menu_id)
      select r.id, m.id
      from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb) as g (role text, name text, parent text)
      join roles r on r.keyword = g.role
      join menus m on m.name = g.name
      where g.parent is null or exists (
        select from role_menus held join menus p on p.id = held.menu_id where held.role_id = r.id and p.name = g.parent)
      on conflict do nothing`)
  }
}
