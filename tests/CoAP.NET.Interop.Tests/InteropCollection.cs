namespace CoAP.Interop.Tests;

/// <summary>Tests that need the machine for themselves: they capture traffic, count what a whole process does, or start a browser.</summary>
[CollectionDefinition("Interop", DisableParallelization = true)]
public sealed class InteropCollection;
