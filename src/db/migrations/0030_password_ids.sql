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
CREATE TRIGGER "users_password_id" BEFORE UPDATE OF "password_hash", "directory_password" ON "users" FOR EACH ROW WHEN (NEW."password_hash" IS DISTINCT FROM OLD."password_hash" OR NEW."directory_password" IS DISTINCT FROM OLD."directory_password") EXECUTE FUNCTION "name_password"();
