CREATE TABLE "service_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "service_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"people" boolean NOT NULL,
	"people_filter" text DEFAULT '' NOT NULL,
	"groups" boolean NOT NULL,
	"group_filter" text DEFAULT '' NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"version" bigint DEFAULT 1 NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_entries" (
	"directory" smallint DEFAULT 1 NOT NULL,
	"account_id" bigint NOT NULL,
	"synced_version" bigint DEFAULT 0 NOT NULL,
	"dn" text,
	"entry_uuid" text,
	"target_dn" text,
	"target_digest" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"stated" jsonb,
	CONSTRAINT "service_entries_directory_account_id_pk" PRIMARY KEY("directory","account_id")
);
--> statement-breakpoint
CREATE TABLE "service_passwords" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "service_passwords_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"password_hash" text NOT NULL,
	"directory_password" text,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "service_passwords" ADD CONSTRAINT "service_passwords_account_id_service_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."service_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "service_accounts_name_key" ON "service_accounts" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "service_passwords_account_index" ON "service_passwords" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "service_passwords_expires_index" ON "service_passwords" USING btree ("expires_at");