using CoAP.Formats;
using PolyType;

namespace CoAP.Benchmarks.Load;

/// <summary>The contract for CBOR.</summary>
[PayloadContract(typeof(Reading))]
internal sealed partial class ReadingContracts : PayloadContracts;

/// <summary>The shape for MessagePack.</summary>
[GenerateShapeFor<Reading>]
internal sealed partial class ReadingShapes;
