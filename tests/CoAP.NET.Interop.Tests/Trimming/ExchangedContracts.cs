using CoAP.Formats;
using PolyType;

namespace CoAP.Interop.Tests.Trimming;

[PayloadContract(typeof(ExchangedReading))]
internal sealed partial class ExchangedContracts : PayloadContracts;

[GenerateShapeFor<ExchangedReading>]
internal sealed partial class ExchangedShapes;
