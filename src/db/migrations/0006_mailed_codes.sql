DROP INDEX "users_mail_key";--> statement-breakpoint
ALTER TABLE "step_up_codes" ADD COLUMN "mail_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_codes" ADD COLUMN "mail_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "users_mail_key" ON "users" USING btree (translate("mail", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) WHERE "users"."mail" <> '';