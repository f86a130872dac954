export declare const SUMMARY: string
export declare const USER_SUMMARY: string
