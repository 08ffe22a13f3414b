CREATE TABLE "posix_numbers" (
	"number" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"record_id" bigint NOT NULL,
	"imported" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "posix_numbers_kind_check" CHECK ("posix_numbers"."kind" in ('user', 'group'))
);
--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "posix" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "ssh_keys" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "posix_numbers_record_key" ON "posix_numbers" USING btree ("kind","record_id");--> statement-breakpoint
CREATE INDEX "posix_numbers_given_index" ON "posix_numbers" USING btree ("number") WHERE not "posix_numbers"."imported";