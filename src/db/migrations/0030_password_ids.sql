-- In two steps, so that those who are there get none: what their entries were last given is not told either.
ALTER TABLE "users" ADD COLUMN "password_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "password_id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "password_renews" text;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "password_id" uuid;--> statement-breakpoint
-- It is another password, whatever statement sets it (the previous release, too), unless that names the hash of the same
-- password which it replaces.
CREATE FUNCTION "name_password"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."password_renews" IS NULL OR NEW."password_renews" IS DISTINCT FROM OLD."password_hash" THEN
		NEW."password_id" := gen_random_uuid();
	END IF;
	NEW."password_renews" := NULL;
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "users_password_id" BEFORE UPDATE OF "password_hash", "directory_password" ON "users" FOR EACH ROW WHEN (NEW."password_hash" IS DISTINCT FROM OLD."password_hash" OR NEW."directory_password" IS DISTINCT FROM OLD."directory_password") EXECUTE FUNCTION "name_password"();--> statement-breakpoint
-- The previous release stores that an entry was given a password, and not which one it was. Where the entry is equal to its
-- record by that, it is the one of the record. In the transaction that gives the first ids: it may store them at once.
CREATE FUNCTION "name_entry_password"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."password_id" := (SELECT "password_id" FROM "users" WHERE "id" = NEW."record_id");
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "directory_entries_password_id" BEFORE UPDATE OF "password_digest" ON "directory_entries" FOR EACH ROW WHEN (NEW."kind" = 'user' AND NEW."version" = NEW."synced_version" AND NEW."password_digest" IS DISTINCT FROM OLD."password_digest" AND NEW."password_id" IS NOT DISTINCT FROM OLD."password_id") EXECUTE FUNCTION "name_entry_password"();
