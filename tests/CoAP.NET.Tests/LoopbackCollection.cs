namespace CoAP.Tests;

/// <summary>The tests that use real sockets; one after the other, so that their waits mean something.</summary>
[CollectionDefinition("Loopback", DisableParallelization = true)]
public sealed class LoopbackCollection;
