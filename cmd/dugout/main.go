// Command dugout is a terminal coding agent whose main screen is a roster of all agent sessions.
package main

func main() {}
