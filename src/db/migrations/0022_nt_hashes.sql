CREATE TABLE "nt_hashes" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "service_accounts" ADD COLUMN "nt_hashes" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nt_hashes" ADD CONSTRAINT "nt_hashes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- An NT hash ends with the password that it is of, and when the person is disabled, whatever statement does that.
CREATE FUNCTION "drop_nt_hash"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "nt_hashes" WHERE "user_id" = NEW."id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_nt_hash" AFTER UPDATE OF "password_hash", "directory_password", "status" ON "users" FOR EACH ROW WHEN (NEW."password_hash" IS DISTINCT FROM OLD."password_hash" OR NEW."directory_password" IS DISTINCT FROM OLD."directory_password" OR NEW."status" <> 1) EXECUTE FUNCTION "drop_nt_hash"();