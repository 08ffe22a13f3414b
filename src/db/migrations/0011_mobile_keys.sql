DROP INDEX "users_mobile_key";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mobile_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_records" ADD COLUMN "stem" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_records" ADD COLUMN "stem_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_records" ADD COLUMN "mobile_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "users_mobile_key" ON "users" USING btree ("mobile_key") WHERE "users"."mobile_key" <> '';