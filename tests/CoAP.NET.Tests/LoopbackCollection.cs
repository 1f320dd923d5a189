namespace CoAP.Tests;

/// <summary>Tests that run alone: they measure memory, count descriptors, or depend on real time.</summary>
[CollectionDefinition("Loopback", DisableParallelization = true)]
public sealed class LoopbackCollection;
