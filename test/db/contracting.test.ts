import t from 'tap'
import { contractions } from '../../scripts/migrations/contracting.ts'

const complaints = (sql: string, own: Iterable<string> = []): string[] =>
  contractions(sql, new Set(own)).map(({ why }) => why)

t.test('what a release before would notice is found', async (t) => {
  for (const statement of [
    'DROP TABLE "users"',
    'ALTER TABLE "users" DROP COLUMN "mail"',
    'ALTER TABLE "public"."users" RENAME COLUMN "mail" TO "email"',
    'ALTER TABLE "users" RENAME TO "people"',
    'ALTER TABLE "users" ALTER COLUMN "mail" SET NOT NULL',
    'ALTER TABLE "users" ALTER COLUMN "mail" SET DATA TYPE varchar(20)',
    'ALTER TABLE "users" ALTER COLUMN "mail" TYPE varchar(20)',
    'ALTER TABLE "users" ALTER COLUMN "mail" DROP DEFAULT',
    'ALTER TABLE "users" ADD COLUMN "badge" text NOT NULL',
    'ALTER TABLE "users" ADD CONSTRAINT "users_check" CHECK ("users"."sort" > 0)',
    'ALTER TABLE "users" DROP CONSTRAINT "users_check"',
    'CREATE UNIQUE INDEX "users_mail" ON "users" USING btree ("mail")',
    'DROP INDEX "users_mail"',
    'DROP FUNCTION "touch"()',
    'DROP TRIGGER "users_touch" ON "users"',
    'TRUNCATE "users"',
    "ALTER TYPE \"level\" RENAME VALUE 'info' TO 'note'",
    'alter table users\n  add column badge text,\n  alter column mail set not null',
  ]) {
    t.equal(complaints(`${statement};`).length, 1, statement)
  }
})

t.test('what a release before does not notice is allowed', async (t) => {
  for (const statement of [
    'CREATE TABLE "badges" ("id" bigint PRIMARY KEY NOT NULL)',
    'ALTER TABLE "users" ADD COLUMN "badge" text',
    'ALTER TABLE "users" ADD COLUMN "badge" text DEFAULT \'\' NOT NULL',
    'CREATE INDEX "users_badge" ON "users" USING btree ("badge")',
    'UPDATE "users" SET "badge" = \'none\'',
    'CREATE FUNCTION "f"() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tDROP TABLE "x";\n\tRETURN NULL;\nEND\n$$',
  ]) {
    t.strictSame(complaints(`${statement};`), [], statement)
  }
})

t.test('what the release before does not know may be changed', async (t) => {
  const made = 'CREATE TABLE "badges" ("id" bigint);--> statement-breakpoint\n'
  const narrowed = 'ALTER TABLE "badges" ADD CONSTRAINT "badges_pk" PRIMARY KEY("id");'
  t.strictSame(complaints(made + narrowed), [])
  t.equal(complaints(narrowed).length, 1)
  t.strictSame(complaints(narrowed, ['badges']), [], 'also when an earlier migration has made it')
})

t.test('a reason allows one statement', async (t) => {
  const dropped = 'ALTER TABLE "users" DROP COLUMN "mail";'
  t.strictSame(complaints(`-- contract: 1.2 has not used it since 1.1\n${dropped}`), [])
  t.equal(complaints(`-- contract:\n${dropped}`).length, 1, 'a reason says something')
  t.equal(complaints(`-- contract: not used\n${dropped}--> statement-breakpoint\n${dropped}`).length, 1)
})
