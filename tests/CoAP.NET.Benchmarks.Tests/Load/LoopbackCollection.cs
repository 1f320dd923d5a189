namespace CoAP.Benchmarks.Load.Tests;

/// <summary>Classes with real sockets, one after the other.</summary>
[CollectionDefinition("Loopback", DisableParallelization = true)]
public sealed class LoopbackCollection;
